import { everyMethod } from '@/lib/http/every-method'
import { discovery } from '@/lib/http/resources/discovery'
import { resource } from '@/lib/http/route'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(
  resource('GET /.well-known/oauth-authorization-server', discovery, { ownHeaders: true }),
)

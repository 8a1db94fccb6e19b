import { everyMethod } from '@/lib/http/every-method'
import { keySet } from '@/lib/http/resources/well-known'
import { resource } from '@/lib/http/route'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(
  resource('GET /.well-known/jwks.json', keySet, { ownHeaders: true }),
)

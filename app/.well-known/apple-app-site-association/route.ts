import { everyMethod } from '@/lib/http/every-method'
import { associatedApps } from '@/lib/http/resources/well-known'
import { resource } from '@/lib/http/route'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(
  resource('GET /.well-known/apple-app-site-association', associatedApps, { ownHeaders: true, onFrontEnd: 'answer' }),
)

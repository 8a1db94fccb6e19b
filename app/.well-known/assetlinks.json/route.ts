import { everyMethod } from '@/lib/http/every-method'
import { assetLinks } from '@/lib/http/resources/well-known'
import { resource } from '@/lib/http/route'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(
  resource('GET /.well-known/assetlinks.json', assetLinks, { ownHeaders: true, onFrontEnd: 'answer' }),
)

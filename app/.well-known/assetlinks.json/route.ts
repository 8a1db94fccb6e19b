import { assetLinks } from '@/lib/http/resources/well-known'
import { resource } from '@/lib/http/route'

export const GET = resource('GET /.well-known/assetlinks.json', assetLinks, { cacheable: true, onFrontEnd: 'answer' })

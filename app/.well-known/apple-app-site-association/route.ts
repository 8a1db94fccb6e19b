import { associatedApps } from '@/lib/http/resources/well-known'
import { resource } from '@/lib/http/route'

export const GET = resource('GET /.well-known/apple-app-site-association', associatedApps, {
  cacheable: true,
  onFrontEnd: 'answer',
})

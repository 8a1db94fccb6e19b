import { passkeyEndpoints } from '@/lib/http/resources/well-known'
import { resource } from '@/lib/http/route'

export const GET = resource('GET /.well-known/passkey-endpoints', passkeyEndpoints, {
  cacheable: true,
  onFrontEnd: 'answer',
})

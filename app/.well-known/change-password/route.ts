import { redirectToChangePassword } from '@/lib/http/resources/well-known'
import { resource } from '@/lib/http/route'

export const GET = resource('GET /.well-known/change-password', redirectToChangePassword, {
  cacheable: true,
  onFrontEnd: 'answer',
})

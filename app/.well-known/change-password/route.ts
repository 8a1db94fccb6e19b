import { everyMethod } from '@/lib/http/every-method'
import { redirectToChangePassword } from '@/lib/http/resources/well-known'
import { resource } from '@/lib/http/route'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(
  resource('GET /.well-known/change-password', redirectToChangePassword, { ownHeaders: true, onFrontEnd: 'answer' }),
)

import { everyMethod } from '@/lib/http/every-method'
import { logo } from '@/lib/http/resources/logo'
import { resource } from '@/lib/http/route'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(
  resource('GET /brand/logo', (request) => logo('light', request), { ownHeaders: true, onFrontEnd: 'answer' }),
)

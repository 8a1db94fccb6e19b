import { logo } from '@/lib/http/resources/images'
import { resource } from '@/lib/http/route'

export const GET = resource('GET /brand/logo', (request) => logo('light', request), {
  cacheable: true,
  onFrontEnd: 'answer',
})

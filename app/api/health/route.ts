import { everyMethod } from '@/lib/http/every-method'
import { health } from '@/lib/http/resources/health'
import { resource } from '@/lib/http/route'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(
  resource('GET /api/health', health, { ownHeaders: true, onFrontEnd: 'answer' }),
)

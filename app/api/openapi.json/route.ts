import { everyMethod } from '@/lib/http/every-method'
import { openApi } from '@/lib/http/resources/openapi'
import { resource } from '@/lib/http/route'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(
  resource('GET /api/openapi.json', openApi, { ownHeaders: true, onFrontEnd: 'answer' }),
)

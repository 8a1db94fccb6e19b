import { openApi } from '@/lib/http/resources/service'
import { resource } from '@/lib/http/route'

export const GET = resource('GET /api/openapi.json', openApi, { cacheable: true, onFrontEnd: 'answer' })

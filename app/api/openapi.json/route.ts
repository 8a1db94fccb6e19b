import { openApi } from '@/lib/http/openapi'
import { resource } from '@/lib/http/route'

export const GET = resource('/api/openapi.json', openApi)

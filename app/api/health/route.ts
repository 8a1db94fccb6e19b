import { health } from '@/lib/http/resources/service'
import { resource } from '@/lib/http/route'

export const GET = resource('GET /api/health', health, { cacheable: true, onFrontEnd: 'answer' })

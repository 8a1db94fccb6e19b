import { appIcon } from '@/lib/http/resources/images'
import { resource } from '@/lib/http/route'

export const GET = resource('GET /api/app-icon', appIcon, { cacheable: true })

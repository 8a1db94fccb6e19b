import { forwardAuth } from '@/lib/http/resources/forward-auth'
import { resource } from '@/lib/http/route'

export const GET = resource('GET /api/forward-auth', forwardAuth)

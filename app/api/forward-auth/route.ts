import { everyMethod } from '@/lib/http/every-method'
import { forwardAuth } from '@/lib/http/resources/forward-auth'
import { resource } from '@/lib/http/route'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(
  resource('GET /api/forward-auth', forwardAuth),
)

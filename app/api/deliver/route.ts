import { deliverDue } from '@/lib/delivery/delivering'
import { everyMethod } from '@/lib/http/every-method'
import { route } from '@/lib/http/route'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(
  route('GET /api/deliver', deliverDue),
  route('POST /api/deliver', deliverDue),
)

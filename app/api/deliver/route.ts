import { deliverDue } from '@/lib/delivery/delivering'
import { route } from '@/lib/http/route'

export const GET = route('GET /api/deliver', deliverDue)
export const POST = route('POST /api/deliver', deliverDue)

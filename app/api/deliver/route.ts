import { deliverDue } from '@/lib/delivery/deliver-due'
import { route } from '@/lib/http/route'

export const GET = route('GET /api/deliver', deliverDue)
export const POST = route('POST /api/deliver', deliverDue)

import { passkeyEndpoints } from '@/lib/http/well-known'

export const dynamic = 'force-dynamic'
export const GET = passkeyEndpoints

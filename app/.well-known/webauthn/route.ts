import { relatedOrigins } from '@/lib/http/well-known'

export const dynamic = 'force-dynamic'
export const GET = relatedOrigins

import { health } from '@/lib/http/health'

export const GET = health
export const HEAD = health

import { health } from '@/lib/web/health'

export const GET = health
export const HEAD = health

'use client'

import { useEffect } from 'react'
import { showAccount } from '@/lib/browser/requests/post'

/** Has every request of the page name the account that it shows. */
export const useShownAccount = (id: string) => useEffect(() => showAccount(id), [id])

'use client'

import { useEffect } from 'react'
import { showAccount } from '@/lib/browser/requests/post'

/** Makes every request of the page name the account that the page shows. */
export const useShownAccount = (id: string) => useEffect(() => showAccount(id), [id])

'use client'

import { useEffect, useState } from 'react'
import { ButtonLink } from '@/components/ui/button'

/**
 * A link that looks like a button and downloads a text that the page holds. A `data:` address would contain the text, and
 * browsers keep addresses in the list of downloads; an object URL says nothing and ends with the page.
 */
export function DownloadLink({
  text,
  filename,
  onClick,
  children,
}: {
  text: string
  filename: string
  onClick: () => void
  children: string
}) {
  const [href, setHref] = useState<string>()
  useEffect(() => {
    const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
    setHref(url)
    return () => URL.revokeObjectURL(url)
  }, [text])
  return (
    <ButtonLink href={href} download={filename} onClick={onClick}>
      {children}
    </ButtonLink>
  )
}

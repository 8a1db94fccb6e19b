'use client'

import { type ComponentProps, useEffect, useState } from 'react'
import { ButtonLink } from '@/components/ui/button'

/**
 * A link that looks like a button and downloads a text that the page holds. A `data:` URL would contain the text, and
 * browsers keep URLs in the list of downloads; an object URL says nothing and ends with the page.
 */
export function DownloadLink({
  text,
  filename,
  ...link
}: {
  text: string
  filename: string
} & Pick<ComponentProps<typeof ButtonLink>, 'look' | 'onClick' | 'children'>) {
  const [href, setHref] = useState<string>()
  useEffect(() => {
    const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
    setHref(url)
    return () => URL.revokeObjectURL(url)
  }, [text])
  return <ButtonLink {...link} href={href} download={filename} />
}

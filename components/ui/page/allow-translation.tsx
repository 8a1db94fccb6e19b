'use client'

import { useEffect } from 'react'

/**
 * Lets browsers translate the page. Their translators put elements in place of its texts; React would insert before a text that is
 * gone, or remove it, and throw away the whole page, with new recovery codes on it.
 */
export function AllowTranslation() {
  useEffect(() => {
    const { insertBefore, removeChild } = Node.prototype
    Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, before: Node | null): T {
      return insertBefore.call(this, node, before?.parentNode === this ? before : null) as T
    }
    Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
      return child.parentNode === this ? (removeChild.call(this, child) as T) : child
    }
    return () => void Object.assign(Node.prototype, { insertBefore, removeChild })
  }, [])
  return null
}

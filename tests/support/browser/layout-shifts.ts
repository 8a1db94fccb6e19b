import type { Page } from 'playwright/test'

type LayoutShift = PerformanceEntry & { hadRecentInput: boolean; sources: { node: Node | null }[] }
type Watched = Window & { layoutShifts: () => string[] }

/**
 * From here on, `layoutShifts` returns what moves by itself in each page (Layout Instability API), from the first
 * frame that shows the whole document: a slow machine draws half of it before, and what follows moves that half.
 */
export const watchLayoutShifts = (page: Page) =>
  page.addInitScript(() => {
    const moved: string[] = []
    const add = (list: PerformanceEntryList) => {
      for (const { hadRecentInput, sources } of list as LayoutShift[])
        if (!hadRecentInput)
          moved.push(...sources.map(({ node }) => node?.textContent?.slice(0, 60) ?? 'a removed node'))
    }
    const observer = new PerformanceObserver((list) => add(list.getEntries()))
    document.addEventListener('DOMContentLoaded', () => {
      // The second frame starts when the first one, with the whole document, has been laid out.
      requestAnimationFrame(() => requestAnimationFrame(() => observer.observe({ type: 'layout-shift' })))
    })
    const layoutShifts = () => {
      add(observer.takeRecords())
      return moved
    }
    Object.assign(window, { layoutShifts })
  })

/** @returns the text of what has moved in this page */
export const layoutShifts = (page: Page) => page.evaluate(() => (window as unknown as Watched).layoutShifts())

import { useState, useSyncExternalStore } from 'react'
import { postFieldNames } from '#app/blog/posts/post.ts'
import { useStored } from '#app/ui/admin/use-table.ts'

/** The text, the preview, or both side by side. */
export type View = 'text' | 'both' | 'preview'

export type Desk = ReturnType<typeof useDesk>

const inSettings = new Set<string>(postFieldNames.filter((name) => name !== 'title' && name !== 'content'))

/**
 * The settings or the preview beside the text of the editor, since there is room for one of them. The browser remembers the choice.
 * A small screen shows the settings in a sheet, and only when they are asked for.
 */
export function useDesk(errors: Readonly<Record<string, string>>) {
  const isWide = useMedia('(width >= 64rem)')
  const [stored, store] = useStored('post-editor')
  const [view, setView] = useState<View>(stored.includes('both') ? 'both' : 'text')
  const [isPanel, setPanel] = useState(stored.length === 0)
  const [isSheet, setSheet] = useState(false)
  const [judged, setJudged] = useState(errors)
  const open = (isOpen: boolean) => {
    if (!isWide) return setSheet(isOpen)
    setPanel(isOpen)
    if (isOpen && view === 'both') setView('text')
  }
  if (errors !== judged) {
    setJudged(errors)
    const names = Object.keys(errors)
    const isNews = names.some((name) => !(name in judged) && inSettings.has(name))
    // A sheet covers the text: it opens by itself where there is nothing to correct in the text.
    if (isNews && (isWide || names.every((name) => inSettings.has(name)))) open(true)
  }
  return {
    isWide,
    /** On a small screen, side by side is the text alone. */
    view: view === 'both' && !isWide ? 'text' : view,
    hasSettings: isWide ? isPanel : isSheet,
    showSettings: (isShown: boolean) => {
      open(isShown)
      if (isWide) store(() => (isShown ? [] : ['closed']))
    },
    setView: (next: View) => {
      setView(next)
      if (!isWide || next === 'preview') return
      if (next === 'both') setPanel(false)
      store(() => (next === 'both' ? ['both'] : isPanel ? [] : ['closed']))
    },
  }
}

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
  )
}

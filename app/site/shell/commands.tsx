import { SearchIcon } from 'lucide-react'
import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { isTyping } from '#app/ui/admin/undo.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { laterCode, useLaterCode } from '#app/ui/later-code.tsx'
import { useIsLive } from '#app/ui/use-is-live.ts'
import { shell } from '#app/content/shell.ts'
import type { ShellPerson } from './person.ts'

const code = laterCode('The search', () => import('#app/workspace/palette.tsx'))

/** The search of the workspace: a button, and Ctrl K or ⌘ K. `?` lists the keys. Its code is loaded when it is first opened. */
export function Commands({ role }: Pick<ShellPerson, 'role'>) {
  const { module, ask, isAsked, pending } = useLaterCode(code)
  const [open, setOpen] = useState<'search' | 'keys'>()
  const isLive = useIsLive()
  const close = () => setOpen(undefined)
  const [typed, setTyped] = useState('')
  const search = () => {
    setOpen('search')
    setTyped('')
    if (!module && !isAsked) ask()
  }
  useTypedText(open === 'search' && isAsked, setTyped, close)
  const onSearch = useEffectEvent(search)
  // At the moment in which the button works: a key that is pressed then is not lost.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isSearch = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey
      const isHelp = event.key === '?' && !isTyping(event.target)
      if (event.defaultPrevented || (!isSearch && !isHelp)) return
      event.preventDefault()
      if (isSearch) onSearch()
      else setOpen('keys')
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <>
      <button
        type="button"
        disabled={!isLive}
        onClick={search}
        onPointerEnter={code.warm}
        onFocus={code.warm}
        aria-busy={isAsked || undefined}
        aria-keyshortcuts="Control+K Meta+K"
        className="flex min-h-11 items-center gap-2.5 rounded-control px-3 text-small text-muted hover:text-ink max-lg:ml-auto lg:mx-2 lg:min-h-8 lg:border lg:border-line lg:bg-surface lg:px-2.5 pointer-coarse:min-h-11 lg:group-data-[rail=narrow]/rail:justify-center lg:group-data-[rail=narrow]/rail:px-0"
      >
        <SearchIcon aria-hidden="true" className="size-4 shrink-0" />
        <span className="max-lg:sr-only lg:group-data-[rail=narrow]/rail:sr-only">{shell.search}</span>
        <kbd aria-hidden="true" className="ml-auto text-fine max-lg:hidden lg:group-data-[rail=narrow]/rail:hidden">
          Ctrl K
        </kbd>
      </button>
      {pending}
      {open === 'search' && module && inMain(<module.Palette role={role} typed={typed} close={close} />)}
      {open === 'keys' && inMain(<KeyList close={close} />)}
    </>
  )
}

/** The text that a person types before the search has a field for it. Escape ends it; no other part of the page hears these keys. */
function useTypedText(isOn: boolean, setText: React.Dispatch<React.SetStateAction<string>>, leave: () => void) {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const { key } = event
    if (event.ctrlKey || event.metaKey || event.altKey || key === 'Tab') return
    event.preventDefault()
    event.stopPropagation()
    if (key === 'Escape') leave()
    else if (key === 'Backspace') setText((before) => Array.from(before).slice(0, -1).join(''))
    else if (Array.from(key).length === 1) setText((before) => before + key)
  })
  useEffect(() => {
    if (!isOn) return
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    window.addEventListener('keydown', listener, true)
    return () => window.removeEventListener('keydown', listener, true)
  }, [isOn])
}

/** In the page's main part, where dialogs belong: the sidebar is a landmark of its own. */
function inMain(dialog: React.ReactNode) {
  return createPortal(dialog, document.getElementById('main') ?? document.body)
}

function KeyList({ close }: { close: () => void }) {
  return (
    <Dialog open onClose={close} title={shell.keys.title}>
      <dl className="grid gap-2 text-small">
        {shell.keys.list.map(([keys, meaning]) => (
          <div key={keys} className="flex items-baseline justify-between gap-6">
            <dt>{meaning}</dt>
            <dd>
              <kbd className="rounded-control border border-line bg-sunken px-1.5 py-0.5">{keys}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

import { Command } from 'cmdk'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { ApiError, apiRequest } from '#app/platform/browser/api.ts'
import { Dialog } from '#app/ui/dialog.tsx'
import { useSlow } from '#app/ui/pending-bar.tsx'
import { areaGroups, mainLinks, publicSite } from '#app/content/navigation.ts'
import { SEARCH, searchHits } from './search.ts'

/** Milliseconds between the last key and the request. */
const TYPING_PAUSE = 150

type Option = { group: string; title: string; detail: string; to: string }
/** `typed` is the text that was typed while this code loaded. */
type PaletteProps = { role: 'customer' | 'staff' | 'owner'; typed: string; close: () => void }

/**
 * Goes anywhere: pages by their name, and everything that the role may read by its words. Also starts actions, those of the open page
 * first. Arrow keys choose, Enter opens.
 */
export function Palette({ role, typed, close }: PaletteProps) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const field = useRef<HTMLInputElement>(null)
  // The dialog opens in a layout effect of its own, and then gives the focus to its first button.
  useEffect(() => field.current?.focus(), [])
  const [q, setQ] = useState(typed)
  const { hits, state, reason } = useHits(q.trim())
  const isSlow = useSlow(state === 'asking')
  const named = namedOptions(role, pathname).filter(({ title }) => title.toLowerCase().includes(q.trim().toLowerCase()))
  const options = [...named, ...hits]
  const open = ({ to }: Option) => {
    close()
    void navigate(to)
  }
  return (
    <Dialog open onClose={close} title="Search">
      {/* The server has chosen and ordered its hits. Without the keys of Vim, of which Ctrl K is one. */}
      <Command label="Search" shouldFilter={false} loop vimBindings={false}>
        <Command.Input
          ref={field}
          placeholder="Pages, actions, leads, orders, invoices, posts, datasets, users"
          value={q}
          onValueChange={setQ}
          className="block min-h-(--control) w-full rounded-control border border-edge bg-surface px-3 text-body"
        />
        <Command.List label="Results" className="mt-3 max-h-[50dvh] overflow-y-auto">
          {options.map((option) => (
            <Result key={`${option.group} ${option.to}`} option={option} open={open} />
          ))}
        </Command.List>
      </Command>
      <p role="status" className="pt-2 text-fine text-muted">
        {state === 'failed' && (reason ?? 'The search did not work. Please try again.')}
        {isSlow && 'Searching...'}
        {state === 'done' && options.length === 0 && 'Nothing found.'}
      </p>
    </Dialog>
  )
}

function Result({ option, open }: { option: Option; open: (option: Option) => void }) {
  return (
    <Command.Item
      value={`${option.group} ${option.to}`}
      onSelect={() => open(option)}
      className="flex min-h-9 cursor-pointer items-center gap-3 rounded-control px-2.5 text-small hover:bg-sunken aria-selected:bg-grain-wash pointer-coarse:min-h-11"
    >
      <span className="max-w-[70%] shrink-0 truncate font-medium">{option.title}</span>
      <span className="min-w-0 truncate text-muted">{option.detail}</span>
      <span className="ml-auto shrink-0 text-fine text-muted">{option.group}</span>
    </Command.Item>
  )
}

/** The actions of the open page, then pages, then other actions. */
function namedOptions(role: PaletteProps['role'], pathname: string): Option[] {
  const mine = actions
    .filter(({ roles }) => roles.includes(role))
    .map(({ title, to }): Option => ({ group: 'Action', title, detail: '', to }))
  const isHere = ({ to }: Option) => to.startsWith(`${pathname}?`)
  return [...mine.filter(isHere), ...pagesFor(role), ...mine.filter((action) => !isHere(action))]
}

const actions: { title: string; to: string; roles: readonly PaletteProps['role'][] }[] = [
  { title: 'New lead', to: '/leads?new=lead', roles: ['staff', 'owner'] },
  { title: 'New post', to: '/admin/blog?new=post', roles: ['staff', 'owner'] },
  { title: 'New redirect', to: '/admin/redirects?new=redirect', roles: ['staff', 'owner'] },
  { title: 'New product', to: '/admin/products?new=product', roles: ['staff', 'owner'] },
  { title: 'Show leads as a board', to: '/leads?layout=board', roles: ['staff', 'owner'] },
  { title: 'My leads', to: '/leads?owner=me', roles: ['staff', 'owner'] },
  { title: 'Import leads', to: '/leads/import', roles: ['staff', 'owner'] },
  { title: 'Duplicates of people', to: '/leads/duplicates', roles: ['staff', 'owner'] },
  { title: 'Change the stages of leads', to: '/leads/stages', roles: ['owner'] },
  { title: 'Show overdue leads', to: '/dashboard?filter=waiting', roles: ['staff', 'owner'] },
  { title: 'Send a post to subscribers', to: '/admin/newsletter?tab=posts', roles: ['staff', 'owner'] },
  { title: 'New discount code', to: '/admin/billing?tab=discounts&new=code', roles: ['owner'] },
  { title: 'Import a bank statement', to: '/admin/billing?tab=bank&import=open', roles: ['staff', 'owner'] },
  { title: 'Invite someone', to: '/admin/users?invite=open', roles: ['owner'] },
]

function pagesFor(role: PaletteProps['role']): Option[] {
  const areas = areaGroups(role).flatMap((group) => group.areas)
  const others = [{ to: '/', label: 'Home' }, ...securityPages, publicSite, ...mainLinks]
  return [
    ...areas.map(({ to, label, about }) => ({ group: 'Page', title: label, detail: about, to })),
    ...others.map(({ to, label }) => ({ group: 'Page', title: label, detail: '', to })),
  ]
}

const securityPages = [
  { to: '/account', label: 'Account' },
  { to: '/account/security', label: 'Security' },
  { to: '/account/keys', label: 'API keys' },
]

type Found = { q: string; hits: Option[]; state: 'done' | 'failed'; reason?: string | undefined }

/** The server's hits for the words that stand still. */
function useHits(q: string): { hits: Option[]; state: 'idle' | 'asking' | 'done' | 'failed'; reason?: string | undefined } {
  const [found, setFound] = useState<Found>()
  useEffect(() => {
    if (q === '') return undefined
    const abort = new AbortController()
    const timer = setTimeout(() => {
      findHits(q, abort.signal).then(
        (hits) => setFound({ q, hits, state: 'done' }),
        (error) => abort.signal.aborted || setFound({ q, hits: [], state: 'failed', reason: reasonOf(error) }),
      )
    }, TYPING_PAUSE)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [q])
  if (q === '') return { hits: [], state: 'idle' }
  return found?.q === q ? found : { hits: [], state: 'asking' }
}

/** What the server said about the words. */
function reasonOf(error: unknown): string | undefined {
  return error instanceof ApiError && error.status === 422 ? Object.values(error.problem?.errors ?? {})[0] : undefined
}

async function findHits(q: string, signal: AbortSignal): Promise<Option[]> {
  const response = await apiRequest('GET', `${SEARCH}?q=${encodeURIComponent(q)}`, undefined, { signal })
  return searchHits.parse(await response.json()).hits.map(({ kind, ...hit }) => ({ ...hit, group: kind }))
}

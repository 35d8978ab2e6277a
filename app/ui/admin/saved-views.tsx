import { BookmarkIcon } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { buttonLook } from '#app/ui/button-look.ts'
import { laterCode, LaterDialog } from '#app/ui/later-code.tsx'
import { Menu } from './menu.tsx'
import { useAction } from './use-action.ts'
import { useStored } from './use-table.ts'
import { useView } from './use-view.tsx'

type SavedView = {
  title: string
  /** The parameters of the address that it sets. */
  query: string
  /** It is there for someone who did not make it, and cannot delete it. */
  isForeign?: boolean
}

/** Where the views of a list are kept. */
export type ViewStore = {
  views: readonly SavedView[]
  remove: (view: SavedView) => void
  /** The form that asks for the name of a new view. */
  renderForm: (query: string, close: () => void) => React.ReactNode
  /** Parameters of the address that belong to a view beside the filters and the order. */
  more?: readonly string[]
}

type SavedViewsProps = {
  store: ViewStore
  /** The parameters of the address that make a view: its filters and its order. */
  keys: readonly string[]
}

/** Filters saved under a name. Opening one puts them into the address; saving one stores the address's. */
export function SavedViews({ store: { views, remove, renderForm, more }, keys }: SavedViewsProps) {
  const { params } = useView()
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const known = new Set([...keys, ...(more ?? [])])
  const now = new URLSearchParams([...params].filter(([key, value]) => known.has(key) && value)).toString()
  const current = views.find(({ query }) => query === now)
  const others = [...params].filter(([key]) => !known.has(key) && key !== 'cursor')
  const open = (query: string) =>
    void navigate(`?${new URLSearchParams([...others, ...new URLSearchParams(query)])}`, { preventScrollReset: true })
  const startsGroup = views.length > 0
  const entries = [
    ...views.map(({ query, title, isForeign }) => ({
      label: isForeign ? `${title} (shared)` : title,
      isOn: query === now,
      change: () => open(query === now ? '' : query),
    })),
    current && !current.isForeign
      ? { label: `Delete “${current.title}”`, startsGroup, isDanger: true, act: () => remove(current) }
      : {
          label: 'Save this view…',
          startsGroup,
          unavailable: now === '' ? 'Search or filter first.' : current && 'This view is already saved.',
          act: () => setAsking(true),
        },
  ]
  return (
    <>
      <Menu label={current ? `Views: ${current.title}` : 'Views'} entries={entries} className={buttonLook('quiet')}>
        <BookmarkIcon aria-hidden="true" className="size-4" />
        <span className="max-w-32 truncate">{current?.title ?? 'Views'}</span>
      </Menu>
      {asking && renderForm(now, () => setAsking(false))}
    </>
  )
}

/** As it is stored. */
const textOf = ({ query, title }: SavedView) => `${query} ${title}`

const dialogCode = laterCode('The form', () => import('./save-view-dialog.tsx'))

/** Views that this browser remembers under the name of their list. */
export function BrowserViews({ name, keys }: { name: string; keys: readonly string[] }) {
  const [stored, store] = useStored(`views.${name}`)
  const views = stored.map((text) => {
    const [query = '', ...title] = text.split(' ')
    return { query, title: title.join(' ') }
  })
  const removal = useAction({
    send: async (view: SavedView) => store((now) => now.filter((text) => text !== textOf(view))),
    done: 'View deleted',
    undo: (_nothing, view) => async () => store((now) => [...now.filter((text) => text !== textOf(view)), textOf(view)]),
    failed: 'View not deleted',
    touches: [],
  })
  const renderForm = (query: string, close: () => void) => (
    <LaterDialog code={dialogCode} onClose={close}>
      {({ SaveViewDialog }) => (
        <SaveViewDialog
          taken={views.map(({ title }) => title)}
          save={(title) => store((now) => [...now, textOf({ query, title })])}
          close={close}
        />
      )}
    </LaterDialog>
  )
  return <SavedViews store={{ views, remove: removal.mutate, renderForm }} keys={keys} />
}

import { BookmarkIcon } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { buttonLook } from '#app/ui/button-look.ts'
import { laterCode, LaterDialog } from '#app/ui/later-code.tsx'
import { Menu } from './menu.tsx'
import { useStored } from './use-table.ts'
import { useView } from './use-view.tsx'

type SavedViewsProps = {
  /** Under this name the browser remembers the views of a list. */
  name: string
  /** The parameters of the address that make a view: its filters and its order. */
  keys: readonly string[]
}

const dialogCode = laterCode('The form', () => import('./save-view-dialog.tsx'))

/** Filters saved under a name. Opening one puts them into the address; saving one stores the address's. */
export function SavedViews({ name, keys }: SavedViewsProps) {
  const { params } = useView()
  const navigate = useNavigate()
  const [stored, store] = useStored(`views.${name}`)
  const [asking, setAsking] = useState(false)
  const views = stored.map((text) => {
    const [query = '', ...title] = text.split(' ')
    return { text, query, title: title.join(' ') }
  })
  const now = new URLSearchParams([...params].filter(([key, value]) => keys.includes(key) && value)).toString()
  const current = views.find(({ query }) => query === now)
  const others = [...params].filter(([key]) => !keys.includes(key) && key !== 'cursor')
  const open = (query: string) =>
    void navigate(`?${new URLSearchParams([...others, ...new URLSearchParams(query)])}`, { preventScrollReset: true })
  const startsGroup = views.length > 0
  const entries = [
    ...views.map(({ query, title }) => ({ label: title, isOn: query === now, change: () => open(query === now ? '' : query) })),
    current
      ? { label: `Forget “${current.title}”`, startsGroup, act: () => store(stored.filter((text) => text !== current.text)) }
      : {
          label: 'Save this view…',
          startsGroup,
          unavailable: now === '' ? 'Search or filter first.' : undefined,
          act: () => setAsking(true),
        },
  ]
  return (
    <>
      <Menu label={current ? `Views: ${current.title}` : 'Views'} entries={entries} className={buttonLook('quiet')}>
        <BookmarkIcon aria-hidden="true" className="size-4" />
        <span className="max-w-32 truncate">{current?.title ?? 'Views'}</span>
      </Menu>
      {asking && (
        <LaterDialog code={dialogCode} onClose={() => setAsking(false)}>
          {({ SaveViewDialog }) => (
            <SaveViewDialog
              taken={views.map(({ title }) => title)}
              save={(title) => store([...stored, `${now} ${title}`])}
              close={() => setAsking(false)}
            />
          )}
        </LaterDialog>
      )}
    </>
  )
}

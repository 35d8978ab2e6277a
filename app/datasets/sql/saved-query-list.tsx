import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { QuestionButton } from '#app/ui/admin/action-button.tsx'
import { Menu } from '#app/ui/admin/menu.tsx'
import { useAction } from '#app/ui/admin/use-action.ts'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { cx } from '#app/ui/class-names.ts'
import { choice } from './column-panel.tsx'
import { SavedQueryDialog } from './saved-query-dialog.tsx'
import {
  pastQueries,
  pastQueriesOf,
  queriesOf,
  SAVED_QUERIES,
  savedQueries,
  type SavedQuery,
  type SavedQueryChange,
} from './saved-query.ts'

type SavedQueryListProps = {
  productId: string
  /** The query that is being written. */
  sql: string
  mayShare: boolean
  onChoose: (sql: string) => void
}

/** The person's own saved queries of a dataset, and those that staff share. */
export function SavedQueryList({ productId, sql, mayShare, onChoose }: SavedQueryListProps) {
  const saved = useQuery(apiQuery(queriesOf(productId), savedQueries))
  if (saved.isPending) return <Loading>Loading saved queries...</Loading>
  if (saved.isError) return <Failed title="Could not load your saved queries" error={saved.error} retry={saved.refetch} />
  const [own, shared] = [saved.data.filter(({ isOwn }) => isOwn), saved.data.filter(({ isOwn }) => !isOwn)]
  return (
    <>
      <section aria-labelledby="saved-queries">
        <h2 id="saved-queries" className="eyebrow mb-2 tracking-normal">
          Saved queries
        </h2>
        {own.length === 0 && <p className="text-small text-muted">Save a query to find it here, on each of your devices.</p>}
        <ul className="grid grid-cols-1 gap-px">
          {own.map((query) => (
            <li key={query.id} className="flex items-center gap-1">
              <button type="button" onClick={() => onChoose(query.sql)} className={cx(choice, 'lg:-ml-3')} title={query.sql}>
                {query.name}
              </button>
              {query.isShared && <span className="shrink-0 text-fine text-muted">Shared</span>}
              <OwnQueryMenu productId={productId} query={query} sql={sql} mayShare={mayShare} />
            </li>
          ))}
        </ul>
      </section>
      {shared.length > 0 && (
        <section aria-labelledby="shared-queries">
          <h2 id="shared-queries" className="eyebrow mb-2 tracking-normal">
            Shared with you
          </h2>
          <ul className="grid grid-cols-1 gap-px">
            {shared.map(({ id, name, sql: text }) => (
              <li key={id}>
                <button type="button" onClick={() => onChoose(text)} className={cx(choice, 'lg:-ml-3')} title={text}>
                  {name}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

/** What someone without access to the dataset any more has saved for it: it can be read, and running it needs access. */
export function KeptQueries({ productId }: { productId: string }) {
  const saved = useQuery(apiQuery(queriesOf(productId), savedQueries))
  if (!saved.data || saved.data.length === 0) return null
  return (
    <section aria-labelledby="kept-queries" className="mt-8">
      <h2 id="kept-queries" className="mb-3 text-h3">
        Your saved queries
      </h2>
      <ul className="grid gap-2">
        {saved.data.map((query) => (
          <li key={query.id} className="flex items-start gap-2 rounded-card border border-line bg-surface px-4 py-2">
            <details className="min-w-0 grow">
              <summary className="min-h-9 cursor-pointer py-1.5 text-small font-semibold pointer-coarse:min-h-11">{query.name}</summary>
              <pre className="overflow-x-auto pb-2 font-mono text-small whitespace-pre-wrap">{query.sql}</pre>
            </details>
            <OwnQueryMenu productId={productId} query={query} sql={query.sql} mayShare={false} />
          </li>
        ))}
      </ul>
    </section>
  )
}

type OwnQueryMenuProps = { productId: string; query: SavedQuery; sql: string; mayShare: boolean }

function OwnQueryMenu({ productId, query, sql, mayShare }: OwnQueryMenuProps) {
  const [isRenaming, setRenaming] = useState(false)
  const { change, remove } = useSavedQuery(productId, query)
  const now = sql.trim()
  const unavailable = now === '' || now === query.sql ? 'The query is the same.' : undefined
  return (
    <>
      <Menu
        label={`Actions for ${query.name}`}
        entries={[
          { label: 'Rename…', act: () => setRenaming(true) },
          {
            label: 'Replace with the query above',
            unavailable,
            act: () => change.mutate({ title: 'Query replaced', to: { sql: now }, back: { sql: query.sql } }),
          },
          ...(mayShare
            ? [
                {
                  label: query.isShared ? 'Stop sharing' : 'Share with everyone who may query it',
                  act: () =>
                    change.mutate({
                      title: query.isShared ? 'Query no longer shared' : 'Query shared',
                      to: { isShared: !query.isShared },
                      back: { isShared: query.isShared },
                    }),
                },
              ]
            : []),
          { label: 'Delete', startsGroup: true, isDanger: true, act: () => remove.mutate() },
        ]}
      />
      {isRenaming && <SavedQueryDialog productId={productId} query={query} sql={query.sql} close={() => setRenaming(false)} />}
    </>
  )
}

type Changed = { title: string; to: SavedQueryChange; back: SavedQueryChange }

/** Changes of a saved query, each with an undo. */
function useSavedQuery(productId: string, { id, name, sql, isShared }: SavedQuery) {
  const send = async (given: SavedQueryChange) => apiRequest('PATCH', `${SAVED_QUERIES}/${id}`, given)
  const common = { failed: 'Query not changed', touches: [queriesOf(productId)] }
  return {
    change: useAction({
      ...common,
      send: async ({ to }: Changed) => send(to),
      done: (_answer, { title }) => title,
      undo:
        (_answer, { back }) =>
        async () =>
          send(back),
    }),
    remove: useAction({
      ...common,
      send: async () => apiRequest('DELETE', `${SAVED_QUERIES}/${id}`),
      done: 'Query deleted',
      undo: () => async () => apiRequest('POST', queriesOf(productId), { name, sql, isShared }),
    }),
  }
}

type PastQueryListProps = { productId: string; onChoose: (sql: string) => void }

/** What the person asked last, on any device. */
export function PastQueryList({ productId, onChoose }: PastQueryListProps) {
  const past = useQuery(apiQuery(pastQueriesOf(productId), pastQueries))
  const clear = {
    send: async () => apiRequest('DELETE', pastQueriesOf(productId)),
    done: 'History cleared',
    failed: 'History not cleared',
    touches: [pastQueriesOf(productId)],
  }
  if (!past.data || past.data.length === 0) return null
  return (
    <section aria-labelledby="history">
      <h2 id="history" className="eyebrow mb-2 tracking-normal">
        History
      </h2>
      <ul className="grid max-h-96 grid-cols-1 gap-px overflow-y-auto">
        {past.data.map(({ sql, askedAt }) => (
          <li key={askedAt + sql}>
            <button type="button" onClick={() => onChoose(sql)} className={`${choice} font-mono text-fine`} title={sql}>
              {sql.replaceAll(/\s+/g, ' ')}
            </button>
          </li>
        ))}
      </ul>
      <QuestionButton
        action={clear}
        size="small"
        className="mt-3"
        label="Clear history"
        question="Clear the history of this dataset?"
        confirm="Clear"
        pending="Clearing..."
      >
        Your last queries are deleted on all your devices. Saved queries stay.
      </QuestionButton>
    </section>
  )
}

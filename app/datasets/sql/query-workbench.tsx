import { useEffect, useId, useRef, useState } from 'react'
import { BookmarkIcon, Link2Icon } from 'lucide-react'
import { useAction } from '#app/ui/admin/use-action.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import type { Column } from '#app/datasets/catalog/column.ts'
import { Button } from '#app/ui/button.tsx'
import { ApiError, apiRequest } from '#app/platform/browser/api.ts'
import { toast } from '#app/ui/toast.ts'
import { PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import { ColumnPanel } from './column-panel.tsx'
import { exampleQuestions } from './example-queries.ts'
import { ResultView } from './result-view.tsx'
import { SqlField, type SqlFieldHandle } from './sql-field.tsx'
import { queryFault, type QueryResult } from './query.ts'
import { SavedQueryDialog } from './saved-query-dialog.tsx'
import { PastQueryList, SavedQueryList } from './saved-query-list.tsx'
import { pastQueriesOf } from './saved-query.ts'

type WorkbenchProps = { productId: string; mayShare: boolean; columns: Column[]; beginning: string }

/** The query editor, its columns, what was saved and asked, and the result. A query from the URL is shown and runs only on request. */
export function QueryWorkbench({ productId, mayShare, columns, beginning }: WorkbenchProps) {
  const [sql, setSql] = useState(beginning)
  const { change } = useView()
  const question = useQuestion(productId)
  const field = useRef<SqlFieldHandle>(null)
  const button = useRef<HTMLButtonElement>(null)
  const says = useId()
  const { error, variables: asked } = question
  useEffect(() => {
    const position = faultOf(error)
    field.current?.mark(position === undefined || asked === undefined ? undefined : { position, sql: asked })
  }, [error, asked])

  useEffect(forgetOldHistories, [])

  const run = () => {
    const next = sql.trim()
    if (!next) return
    change({ sql: next.length <= MOST_IN_ADDRESS ? next : undefined }, { replace: true })
    question.mutate(next)
  }
  const choose = (chosen: string) => {
    setSql(chosen)
    field.current?.focus()
  }
  return (
    <div className="grid grid-cols-1 gap-8 lg:grid-cols-[minmax(0,1fr)_18rem]">
      <div className="grid min-w-0 grid-cols-1 content-start gap-5">
        <section aria-label="Query" className="grid grid-cols-1 gap-3">
          <SqlField
            value={sql}
            onChange={setSql}
            onRun={run}
            onLeave={() => button.current?.focus()}
            schema={{ data: columns.map(({ name }) => name) }}
            describedBy={error ? says : undefined}
            handle={field}
          />
          <div className="flex flex-wrap items-center gap-3">
            <Button
              ref={button}
              type="button"
              busy={question.isPending}
              {...(!sql.trim() && { unavailable: 'Write a query first.' })}
              onClick={run}
            >
              {question.isPending ? 'Running...' : 'Run'}
            </Button>
            {question.isPending && (
              <Button type="button" look="quiet" onClick={question.cancel}>
                Cancel
              </Button>
            )}
            <SaveButton productId={productId} sql={sql} mayShare={mayShare} />
            <LinkButton sql={sql} />
            <p className="text-fine text-muted max-sm:hidden">
              Press <kbd className="font-mono">Ctrl</kbd> <kbd className="font-mono">Enter</kbd> to run. The table is{' '}
              <code className="font-mono">data</code>.
            </p>
          </div>
        </section>
        {error && <Fault id={says} error={error} sql={asked} onShow={() => field.current?.focus()} />}
        <ResultView key={question.submittedAt} result={question.data} isAsking={question.isPending} isBare={question.isIdle} />
      </div>
      <aside aria-label="Queries and columns" className="grid min-w-0 grid-cols-1 content-start gap-8">
        <SavedQueryList productId={productId} sql={sql} mayShare={mayShare} onChoose={choose} />
        <ColumnPanel columns={columns} examples={exampleQuestions(columns)} onChoose={choose} />
        <PastQueryList productId={productId} onChoose={choose} />
      </aside>
    </div>
  )
}

/** Until the server kept the history, each browser did: what people asked does not stay behind on it. */
function forgetOldHistories() {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith('questions:')) localStorage.removeItem(key)
  } catch {
    // A browser without storage kept none.
  }
}

type FaultProps = { id: string; error: Error; sql: string | undefined; onShow: () => void }

/** The engine's error message and its position. */
function Fault({ id, error, sql = '', onShow }: FaultProps) {
  const position = faultOf(error)
  const place = position === undefined ? undefined : lineAndColumn(sql, position)
  const said = error instanceof ApiError ? error.detail : 'Connection lost. Run the query again.'
  return (
    <div id={id} role="alert" className="grid justify-items-start gap-3 rounded-card border border-alarm bg-alarm-wash px-5 py-4">
      <h2 className="text-body font-semibold">Error{place && ` at line ${place.line}, column ${place.column}`}</h2>
      <p className="font-mono text-small break-words whitespace-pre-wrap">{said}</p>
      {place && (
        <Button type="button" look="quiet" size="small" onClick={onShow}>
          Show it in the query
        </Button>
      )}
    </div>
  )
}

type SaveButtonProps = { productId: string; sql: string; mayShare: boolean }

function SaveButton({ productId, sql, mayShare }: SaveButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button type="button" look="quiet" {...(!sql.trim() && { unavailable: 'Write a query first.' })} onClick={() => setOpen(true)}>
        <BookmarkIcon aria-hidden="true" className="size-4" />
        Save
      </Button>
      {isOpen && <SavedQueryDialog productId={productId} sql={sql} mayShare={mayShare} close={close} />}
    </>
  )
}

/** The maximum characters of a query in a link: some programs cut longer URLs. */
const MOST_IN_ADDRESS = 4000

/** Copies a link to this query. It opens the query without running it, and running it needs access to the dataset. */
function LinkButton({ sql }: { sql: string }) {
  const tooLong = sql.length > MOST_IN_ADDRESS
  const copy = async () => {
    const address = new URL(location.href)
    address.search = String(new URLSearchParams({ sql: sql.trim() }))
    try {
      await navigator.clipboard.writeText(address.href)
      toast({ title: 'Link copied', description: 'Link to this query. Only people with access to the dataset can run it.' })
    } catch {
      history.replaceState(history.state, '', address)
      toast({ title: 'Copy the link from the address bar', description: 'This browser blocked copying.' })
    }
  }
  return (
    <Button type="button" look="quiet" {...(tooLong && { unavailable: 'This query is too long for a link.' })} onClick={() => void copy()}>
      <Link2Icon aria-hidden="true" className="size-4" />
      Copy link
    </Button>
  )
}

/** Queries a dataset, one query at a time: a new query or unmounting cancels the previous one. */
function useQuestion(productId: string) {
  const asking = useRef<AbortController>(null)
  const question = useAction({
    async send(sql: string): Promise<QueryResult | undefined> {
      asking.current?.abort()
      const mine = (asking.current = new AbortController())
      try {
        return await (await apiRequest('POST', `${PRODUCTS}/${productId}/query`, { sql }, { signal: mine.signal })).json()
      } catch (error) {
        if (mine.signal.aborted) return undefined
        throw error
      }
    },
    failed: 'Query failed',
    // The error stands below the query.
    onRefused: () => true,
    touches: [pastQueriesOf(productId)],
  })
  return { ...question, cancel: () => asking.current?.abort() }
}

/** The position of an error in the query, in characters from 0. */
function faultOf(error: Error | null): number | undefined {
  const problems = error instanceof ApiError ? error.problem?.problems : undefined
  const read = queryFault.safeParse(Array.isArray(problems) ? problems[0] : undefined)
  return read.success ? read.data.position : undefined
}

/** Counted from 1. */
export function lineAndColumn(sql: string, position: number): { line: number; column: number } {
  const before = sql.slice(0, position).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}

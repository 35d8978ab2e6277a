import { useEffect, useId, useRef, useState } from 'react'
import { useView } from '#app/ui/admin/use-view.tsx'
import type { Column } from '#app/datasets/catalog/column.ts'
import { Button } from '#app/ui/button.tsx'
import { ColumnPanel } from './column-panel.tsx'
import { exampleQuestions } from './example-queries.ts'
import { Fault } from './query-error.tsx'
import { HistoryList } from './history-list.tsx'
import { LinkButton, MOST_IN_ADDRESS } from './link-button.tsx'
import { forget, historyKey, readHistory, rememberQuery } from './query-history.ts'
import { ResultView } from './result-view.tsx'
import { SqlField, type SqlFieldHandle } from './sql-field.tsx'
import { faultOf, useQuestion } from './use-query.tsx'

type QuestionsProps = { productId: string; viewerId: string; columns: Column[]; beginning: string }

/** The query editor, its columns and the result. A query from the URL is shown and runs only on request. */
export function QueryHistory({ productId, viewerId: currentUserId, columns, beginning }: QuestionsProps) {
  const [sql, setSql] = useState(beginning)
  const { change } = useView()
  const question = useQuestion(productId)
  const past = useHistory(historyKey(currentUserId, productId))
  const field = useRef<SqlFieldHandle>(null)
  const button = useRef<HTMLButtonElement>(null)
  const says = useId()
  const { error } = question
  useEffect(() => {
    field.current?.mark(faultOf(error))
  }, [error])

  const run = () => {
    const asked = sql.trim()
    if (!asked) return
    past.add(asked)
    change({ sql: asked.length <= MOST_IN_ADDRESS ? asked : undefined }, { replace: true })
    question.mutate(asked)
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
            <LinkButton sql={sql} />
            <p className="text-fine text-muted max-sm:hidden">
              Press <kbd className="font-mono">Ctrl</kbd> <kbd className="font-mono">Enter</kbd> to run. The table is{' '}
              <code className="font-mono">data</code>.
            </p>
          </div>
        </section>
        {error && <Fault id={says} error={error} sql={question.variables} onShow={() => field.current?.focus()} />}
        <ResultView key={question.submittedAt} result={question.data} isAsking={question.isPending} isBare={question.isIdle} />
      </div>
      <aside aria-label="Columns and history" className="grid min-w-0 grid-cols-1 content-start gap-8">
        <ColumnPanel columns={columns} examples={exampleQuestions(columns)} onChoose={choose} />
        <HistoryList questions={past.questions} onChoose={choose} onForget={past.clear} />
      </aside>
    </div>
  )
}

function useHistory(key: string) {
  const [questions, setQuestions] = useState(() => readHistory(key))
  return {
    questions,
    add: (sql: string) => setQuestions(rememberQuery(key, sql)),
    clear: () => {
      forget(key)
      setQuestions([])
    },
  }
}

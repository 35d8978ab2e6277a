import { Button } from '#app/ui/button.tsx'
import { choice } from './column-panel.tsx'

type HistoryListProps = { questions: string[]; onChoose: (sql: string) => void; onForget: () => void }

/** The user's last queries, stored only in this browser. */
export function HistoryList({ questions, onChoose, onForget }: HistoryListProps) {
  if (questions.length === 0) return null
  return (
    <section aria-labelledby="history">
      <h2 id="history" className="eyebrow mb-2 tracking-normal">
        History (this browser)
      </h2>
      <ul className="grid grid-cols-1 gap-px">
        {questions.map((sql) => (
          <li key={sql}>
            <button type="button" onClick={() => onChoose(sql)} className={`${choice} font-mono text-fine`} title={sql}>
              {sql.replaceAll(/\s+/g, ' ')}
            </button>
          </li>
        ))}
      </ul>
      <Button type="button" look="quiet" size="small" className="mt-3" onClick={onForget}>
        Clear history
      </Button>
    </section>
  )
}

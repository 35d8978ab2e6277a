import { cx } from '#app/ui/class-names.ts'
import type { Column } from '#app/datasets/catalog/column.ts'
import { type Example, nameInSql } from './example-queries.ts'

type ColumnPanelProps = { columns: Column[]; examples: Example[]; onChoose: (sql: string) => void }

/** The columns of the dataset, and example queries. */
export function ColumnPanel({ columns, examples, onChoose }: ColumnPanelProps) {
  return (
    <>
      <section aria-labelledby="examples">
        <h2 id="examples" className="eyebrow mb-2 tracking-normal">
          Examples
        </h2>
        <ul className="flex flex-wrap gap-2 lg:grid lg:grid-cols-1 lg:gap-px">
          {examples.map(({ title, sql }) => (
            <li key={title}>
              <button
                type="button"
                onClick={() => onChoose(sql)}
                className={cx(choice, 'max-lg:border max-lg:border-edge max-lg:bg-surface lg:-ml-3')}
              >
                {title}
              </button>
            </li>
          ))}
        </ul>
      </section>
      <div>
        <h2 id="columns" className="eyebrow mb-2 tracking-normal">
          {columns.length} columns
        </h2>
        {/* A scrolling frame must be reachable by keyboard. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <section aria-labelledby="columns" tabIndex={0} className={frame}>
          <ul>
            {columns.map(({ name, type, description }) => (
              <li key={name} className="border-b border-line py-2 last:border-b-0">
                <p className="flex items-baseline justify-between gap-3">
                  <span className="min-w-0 font-mono text-small break-words">{nameInSql(name)}</span>
                  <span className="font-mono text-fine text-muted">{type}</span>
                </p>
                {description && <p className="text-fine text-muted">{description}</p>}
              </li>
            ))}
          </ul>
        </section>
      </div>
    </>
  )
}

const frame = 'max-h-96 overflow-y-auto rounded-card border border-line bg-surface px-4 py-2'

export const choice =
  'block min-h-9 w-full truncate rounded-control px-3 py-1.5 text-left text-small text-ink hover:bg-sunken pointer-coarse:min-h-11'

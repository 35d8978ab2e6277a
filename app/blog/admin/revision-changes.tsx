import type { RevisionDiff } from '#app/blog/posts/revision.ts'
import { cx } from '#app/ui/class-names.ts'
import { formatMoment } from '#app/ui/moment.ts'
import { type DiffRow, revisionName, rowsOf } from './revision-rows.ts'

const signs: Record<DiffRow['kind'], string> = { same: ' ', added: '+', removed: '−', gap: '' }
const looks: Record<DiffRow['kind'], string> = { same: '', added: 'bg-leaf-wash', removed: 'bg-alarm-wash', gap: 'bg-sunken text-muted' }
const spoken: Record<DiffRow['kind'], string> = { same: '', added: 'Added: ', removed: 'Removed: ', gap: '' }

/** Deleted and added lines between two versions. */
export function RevisionChanges({ diff }: { diff: RevisionDiff }) {
  const isContentSame = diff.content.every(({ kind }) => kind === 'same')
  if (diff.fields.length === 0 && isContentSame) return <p className="text-small text-muted">No differences from the saved post.</p>
  return (
    <div className="grid gap-3">
      {diff.fields.map(({ field, before, after }) => (
        <Changes
          key={field}
          name={revisionName(field)}
          rows={[
            { id: 'before', kind: 'removed', text: readable(field, before) },
            { id: 'after', kind: 'added', text: readable(field, after) },
          ]}
        />
      ))}
      {!isContentSame && <Changes name="Content" rows={rowsOf(diff.content)} />}
    </div>
  )
}

/** Formats times for people; other values stay as they are. */
function readable(field: string, text: string): string {
  return field === 'publishedAt' && text ? formatMoment(text) : text
}

function Changes({ name, rows }: { name: string; rows: DiffRow[] }) {
  return (
    <div className="grid gap-1">
      <p className="eyebrow">{name}</p>
      <div className="overflow-hidden rounded-control border border-line">
        {rows.map(({ id, kind, text }) => (
          // The sign repeats the meaning of the color.
          <p key={id} className={cx('flex gap-2 px-3 py-0.5 font-mono text-fine whitespace-pre-wrap wrap-anywhere', looks[kind])}>
            <span aria-hidden="true" className="select-none">
              {signs[kind]}
            </span>
            <span className="min-w-0">
              <span className="sr-only">{spoken[kind]}</span>
              {text}
            </span>
          </p>
        ))}
      </div>
    </div>
  )
}

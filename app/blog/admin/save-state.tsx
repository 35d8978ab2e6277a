import { Button } from '#app/ui/button.tsx'
import type { WorkingCopy } from './use-working-copy.tsx'

const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

export function SaveState({ copy, isNew, isChanged }: { copy: WorkingCopy; isNew: boolean; isChanged: boolean }) {
  const { state } = copy
  return (
    <p role="status" className="flex flex-wrap items-center gap-2 text-small text-muted">
      {isNew ? isChanged && newWords(copy.isKeptHere) : words(copy)}
      {state.kind === 'failed' && (
        <Button type="button" look="quiet" size="small" onClick={() => void copy.flush()}>
          Retry
        </Button>
      )}
    </p>
  )
}

function newWords(isKeptHere: boolean): string {
  return isKeptHere ? 'Saved in this browser until you click Create.' : 'Not saved yet. Click Create to save it.'
}

function words({ state, isKeptHere }: WorkingCopy): string {
  switch (state.kind) {
    case 'idle':
      return ''
    case 'waiting':
      return 'Not saved yet'
    case 'saving':
      return 'Saving...'
    case 'saved':
      return `Draft saved ${clock.format(new Date(state.at))}`
    case 'failed':
      return isKeptHere ? 'Saved in this browser only. Couldn’t reach the server.' : 'Not saved.'
    case 'elsewhere':
      return 'Not saved: someone else changed the draft.'
  }
}

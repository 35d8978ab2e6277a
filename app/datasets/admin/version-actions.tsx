import type { StaffVersion } from '#app/datasets/catalog/version.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { QuestionButton } from '#app/ui/admin/action-button.tsx'
import { countOf } from '#app/ui/amount.ts'
import { Button } from '#app/ui/button.tsx'
import { productAddresses, versionsUrl } from './product-urls.ts'
import { isReadable } from './column-readings.tsx'

/** The actions that a version allows in its state. */
export function VersionActions({ productId, version, review }: { productId: string; version: StaffVersion; review: () => void }) {
  const { number, state, isCurrent } = version
  const isMendable = state === 'refused' && (version.headFaults.length > 0 || isReadable(version))
  return (
    <div className="flex flex-wrap gap-2">
      {(state === 'ready' || isMendable) && (
        <Button
          type="button"
          size="small"
          {...(isMendable && { look: 'quiet' })}
          aria-label={isMendable ? `Correct version ${number}` : `Review and publish version ${number}`}
          onClick={review}
        >
          {isMendable ? 'Correct' : 'Review and publish'}
        </Button>
      )}
      {state === 'published' && !isCurrent && <RollBackButton productId={productId} version={version} />}
      {state !== 'published' && <DeleteVersion productId={productId} version={version} />}
    </div>
  )
}

function DeleteVersion({ productId, version: { number, originalName } }: { productId: string; version: StaffVersion }) {
  const action = {
    send: async () => apiRequest('DELETE', `${versionsUrl(productId)}/${number}`),
    done: `Version ${number} deleted`,
    failed: 'Version not deleted',
    touches: productAddresses,
  }
  return (
    <QuestionButton
      action={action}
      size="small"
      aria-label={`Delete version ${number}`}
      label="Delete"
      question={`Are you sure you want to delete version ${number}?`}
      confirm="Delete"
    >
      <p className="font-mono text-small text-ink wrap-anywhere">{originalName}</p>
      <p>It was never published. Its file and report are deleted too.</p>
    </QuestionButton>
  )
}

function RollBackButton({ productId, version: { number, rows } }: { productId: string; version: StaffVersion }) {
  const action = {
    send: async () => apiRequest('POST', `${versionsUrl(productId)}/${number}/current`),
    done: `Version ${number} is current again`,
    failed: 'The current version has not changed',
    touches: productAddresses,
  }
  return (
    <QuestionButton
      action={action}
      size="small"
      aria-label={`Roll back to version ${number}`}
      label="Roll back"
      question={`Roll back to version ${number}?`}
      confirm="Roll back"
      confirmLook="primary"
      pending="Rolling back..."
    >
      <p>
        Files and the API switch to it immediately, with its {countOf(rows, 'row', 'rows')}. The current version stays here, so you can
        switch back.
      </p>
    </QuestionButton>
  )
}

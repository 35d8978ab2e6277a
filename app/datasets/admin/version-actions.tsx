import type { StaffProduct } from '#app/datasets/catalog/product.ts'
import type { StaffVersion } from '#app/datasets/catalog/version.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { QuestionButton } from '#app/ui/admin/action-button.tsx'
import { countOf } from '#app/ui/amount.ts'
import { productAddresses, versionsUrl } from './product-urls.ts'
import { PublishButton } from './publish-button.tsx'

/** The actions that a version allows in its state. */
export function VersionActions({ product, version }: { product: StaffProduct; version: StaffVersion }) {
  const { state, isCurrent } = version
  return (
    <div className="flex flex-wrap gap-2">
      {state === 'ready' && <PublishButton product={product} version={version} />}
      {state === 'published' && !isCurrent && <RollBackButton productId={product.id} version={version} />}
      {state !== 'published' && <DeleteVersion productId={product.id} version={version} />}
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

import type { ProductDetail, ProductFile } from '#app/datasets/catalog/product.ts'
import { siteAddress } from './site-address.ts'
import { ProgramDownload } from './program-download.tsx'
import { FileList } from './file-list.tsx'
import { DatasetSection } from './part.tsx'
import { useTake } from './use-download.tsx'
import { Button } from '#app/ui/button.tsx'

/** Every format of the whole dataset. */
export function FilesPart({ detail, has }: { detail: ProductDetail; has: boolean }) {
  return (
    <DatasetSection id="files" title="Files">
      {has ? (
        <>
          <FileList files={detail.files}>{(file) => <TakeFile id={detail.id} file={file} />}</FileList>
          <ProgramDownload detail={detail} site={siteAddress()} />
        </>
      ) : (
        <FileList files={detail.files} />
      )}
    </DatasetSection>
  )
}

function TakeFile({ id, file: { format, name } }: { id: string; file: ProductFile }) {
  const take = useTake(id)
  return (
    <Button
      type="button"
      look="quiet"
      size="small"
      busy={take.isPending}
      aria-label={`Download ${name}`}
      onClick={() => take.mutate({ downloadType: 'file', format })}
    >
      {take.isPending ? 'Starting...' : 'Download'}
    </Button>
  )
}

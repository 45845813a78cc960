import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'preact/hooks';
import { readFile } from '../api/files.ts';
import { t } from '../i18n/index.ts';
import { ProblemNote } from './problem-note.tsx';

/** Shows a file of the API in place, or offers it where the browser cannot show it. Its viewer prints and saves. */
export function Paper({ path, name }: { path: string; name: string }) {
  const file = useQuery({
    queryKey: ['paper', path],
    queryFn: () => readFile(path),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const url = file.data?.url;
  useEffect(() => () => url && URL.revokeObjectURL(url), [url]);
  if (file.isPending) return <p>{t('app.loading')}</p>;
  if (file.isError) return <ProblemNote error={file.error} retry={() => void file.refetch()} />;
  if (file.data.isPdf) return <iframe class="paper" title={name} src={file.data.url} tabIndex={-1} />;
  return (
    <p>
      <a href={file.data.url} download={name}>
        {t('ship.download')}
      </a>
    </p>
  );
}

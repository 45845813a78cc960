import { Link } from 'wouter-preact';
import { company } from '../../api/company.ts';
import type { Session } from '../../api/session.ts';
import { t } from '../../i18n/index.ts';
import { Audit } from './audit.tsx';
import { Keys } from './keys.tsx';
import { Limits } from './limits.tsx';
import { People } from './people.tsx';
import { Setup } from './setup.tsx';

const PARTS = ['people', 'keys', 'setup', 'audit', 'limits'] as const;

/** Shows how the company is set up, and who may do what. */
export default function Admin({ session, part }: { session: Session; part: string }) {
  const shown = PARTS.find((one) => one === part);
  const key = company.value;
  if (session.role !== 'admin') {
    return (
      <>
        <h1>{t('nav.admin')}</h1>
        <p class="empty">{t('admin.forAdmins')}</p>
      </>
    );
  }
  return (
    <>
      <h1>{t('nav.admin')}</h1>
      <nav class="parts" aria-label={t('nav.admin')}>
        {PARTS.map((one) => (
          <Link key={one} href={`/admin/${one}`} aria-current={one === shown ? 'page' : undefined}>
            {t(`admin.part.${one}`)}
          </Link>
        ))}
      </nav>
      {shown === undefined && <p class="empty">{t('admin.noPart')}</p>}
      {shown === 'setup' && <Setup session={session} companyKey={key} />}
      {shown === 'audit' && <Audit session={session} companyKey={key} />}
      {shown !== undefined && shown !== 'setup' && shown !== 'audit' && key === null && (
        <p class="empty">{t('admin.noCompany')}</p>
      )}
      {key !== null && shown === 'people' && <People session={session} companyKey={key} />}
      {key !== null && shown === 'keys' && <Keys session={session} companyKey={key} />}
      {key !== null && shown === 'limits' && <Limits />}
    </>
  );
}

import { gcpActivity } from '../../telemetry/datasets/LW_ACT_GCP_ACTIVITY.ts';
import { auditEntry } from '../streams/google-audit.ts';
import type { Incident } from './incident.ts';

export const foreignOwner: Incident = {
  name: 'project of Google Cloud given to somebody from outside',
  generate({ company, instant, random }) {
    const person = random.pick(company.people);
    const grant = { action: 'ADD', role: 'roles/owner', member: 'user:helper@elsewhere.example' };
    const call = {
      ...{ serviceName: 'cloudresourcemanager.googleapis.com', methodName: 'SetIamPolicy' },
      ...{ principalEmail: person.email, callerIp: person.address },
      more: { serviceData: { policyDelta: { bindingDeltas: [grant] } } },
    };
    return [[gcpActivity, auditEntry(company, call, instant, random)]];
  },
};

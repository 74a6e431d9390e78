// One file for all of these: loading the CDK and synthesizing the stages takes longer than all checks together.
import './stack/permissions.ts';
import './stack/functions.ts';
import './stack/api.ts';
import './stack/deployments.ts';
import './stack/table.ts';
import './stack/queues.ts';
import './stack/secrets.ts';
import './stack/alarms.ts';
import './stack/mail.ts';
import './stack/cost.ts';
import './stack/checks.ts';

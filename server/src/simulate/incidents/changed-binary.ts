import { changedFiles } from '../../telemetry/datasets/ChangedFiles.ts';
import { files } from '../../telemetry/datasets/Files.ts';
import { syscallsFile } from '../../telemetry/datasets/LW_HA_SYSCALLS_FILE.ts';
import { newFileHashes } from '../../telemetry/datasets/NewFileHashes.ts';
import { machineOf } from '../company/company.ts';
import { isoTimestamp } from '../hour.ts';
import { changeRecord, fileCallRecord, fileRecord, fileState } from '../streams/files.ts';
import type { Incident } from './incident.ts';

const path = '/usr/bin/sudo';

export const changedBinary: Incident = {
  name: 'changed system binary',
  generate({ company, hour, instant, random }) {
    const machine = machineOf(company, 'web', random);
    const state = fileState(path, random.hex(16), instant);
    return [
      [changedFiles, { ...hour.window, ...changeRecord(state, machine.mid) }],
      [files, { createdTime: isoTimestamp(instant), ...fileRecord(state, machine.mid) }],
      [newFileHashes, { ...hour.window, filedataHash: state.hash }],
      [syscallsFile, fileCallRecord(state, machine, random.between(2_000, 30_000))],
    ];
  },
};

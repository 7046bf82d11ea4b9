/** The systemd unit of the agent. It may read everything, and write its journal only. */
export function unitText(command: readonly string[]): string {
  return `[Unit]
Description=Vedette agent
After=network-online.target
Wants=network-online.target

[Service]
ExecStart=${command.map(quoted).join(' ')}
Restart=always
RestartSec=10
StateDirectory=vedette-agent
StateDirectoryMode=0700
Nice=10
MemoryMax=256M
TasksMax=64
CapabilityBoundingSet=CAP_DAC_READ_SEARCH CAP_SYS_PTRACE
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=read-only
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectControlGroups=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
LockPersonality=yes

[Install]
WantedBy=multi-user.target
`;
}

/** A word of ExecStart: percent signs and dollars have a meaning there. */
function quoted(word: string): string {
  return `"${word.replace(/["\\]/g, '\\$&').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`;
}

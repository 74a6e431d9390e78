// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title ERC-6982: tokens with a default lock state
interface IERC6982 {
    /// @notice The lock state of all tokens that have no {Locked} event of their own, minted and to come.
    /// Emitted at deployment and at every change.
    event DefaultLocked(bool locked);

    /// @notice The lock state of one token has changed. From now on it no longer follows {DefaultLocked}.
    event Locked(uint256 indexed tokenId, bool locked);

    /// @notice The lock state of the latest {DefaultLocked} event.
    function defaultLocked() external view returns (bool);

    /// @notice Whether a token can't be transferred. Reverts for a token that does not exist.
    function locked(uint256 tokenId) external view returns (bool);
}

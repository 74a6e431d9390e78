// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title ERC-5192: tokens that may be locked to their holder
interface IERC5192 {
    /// @notice A token can't be transferred any more.
    event Locked(uint256 tokenId);

    /// @notice A token can be transferred again.
    event Unlocked(uint256 tokenId);

    /// @notice Whether a token can't be transferred. Reverts for a token that does not exist.
    function locked(uint256 tokenId) external view returns (bool);
}
